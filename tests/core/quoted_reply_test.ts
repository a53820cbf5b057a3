import assert from "node:assert/strict";
import { quotedReply } from "@/core/text.ts";

Deno.test("quotedReply() leaves a reply of the length asked for as it is, and cuts the middle out of a longer one", () => {
  for (const [maxTokens, most] of [[1, 2000], [250, 2000], [300, 2400]] as const) {
    const whole = "x".repeat(most);
    assert.equal(quotedReply(whole, maxTokens), whole);
    const half = "x".repeat(most / 2);
    assert.equal(quotedReply(`${half}-${half}`, maxTokens), `${half} [… 1 characters left out …] ${half}`);
  }
});

Deno.test("quotedReply() leaves no half of a character", () => {
  const cut = quotedReply(`x${"🚉".repeat(2000)}`, 1);
  assert.ok(cut.isWellFormed() && cut.length < 2100);
});
