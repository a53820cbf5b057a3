import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { unpackedFlaw, zipChecks } from "@/record/zip_checks.ts";

/** The checksum of "123456789" that every description of CRC-32 names. */
const CHECKSUM = 0xcbf43926, DIGITS = strToU8("123456789");

Deno.test("zipChecks() reads the checksums of a zip with a comment, in its order", () => {
  const zip = zipSync({ a: DIGITS, b: [strToU8(""), { level: 0, comment: "of b" }] }, { comment: "PK" });
  assert.deepEqual(zipChecks(zip), [{ encrypted: false, checksum: CHECKSUM }, { encrypted: false, checksum: 0 }]);
  assert.throws(() => zipChecks(zip.slice(0, 60)), RangeError);
  assert.throws(() => zipChecks(new Uint8Array()), RangeError);
});

Deno.test("zipChecks() finds the directory of a zip of the large form", () => {
  const zip = zipSync({ a: DIGITS }), view = new DataView(zip.buffer, zip.byteOffset), end = zip.length - 22;
  const tail = new DataView(new ArrayBuffer(56 + 20 + 22));
  tail.setUint32(0, 0x06064b50, true);
  tail.setBigUint64(32, 1n, true);
  tail.setBigUint64(48, BigInt(view.getUint32(end + 16, true)), true);
  tail.setUint32(56, 0x07064b50, true);
  tail.setBigUint64(64, BigInt(end), true);
  tail.setUint32(76, 0x06054b50, true);
  tail.setUint16(86, 0xffff, true);
  tail.setUint32(92, 0xffffffff, true);
  const large = new Uint8Array([...zip.slice(0, end), ...new Uint8Array(tail.buffer)]);
  assert.deepEqual(zipChecks(large), [{ encrypted: false, checksum: CHECKSUM }]);
});

Deno.test("unpackedFlaw() compares size and checksum", () => {
  const check = { encrypted: false, checksum: CHECKSUM };
  assert.equal(unpackedFlaw(DIGITS, 9, check), undefined);
  assert.match(unpackedFlaw(DIGITS, 8, check)!, /unpacks to 9 bytes, not to the 8/);
  assert.match(unpackedFlaw(strToU8("123456780"), 9, check)!, /checksum/);
});
