import fc from "fast-check";
import assert from "node:assert/strict";
import { scriptJson } from "@/core/text.ts";

Deno.test("scriptJson() is read back by JSON.parse(), and holds nothing that ends or comments out a script", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("</script>", "<!--", "<SCRIPT", "\u2028"));
  fc.assert(fc.property(fc.dictionary(text.filter((key) => key !== "__proto__"), text), (value) => {
    const json = scriptJson(value);
    assert.deepEqual({ ...JSON.parse(json) }, { ...value });
    assert.ok(!json.includes("<"));
  }));
});
