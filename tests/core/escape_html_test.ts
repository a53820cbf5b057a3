import fc from "fast-check";
import { DOMParser } from "linkedom";
import assert from "node:assert/strict";
import { escapeHtml } from "@/core/text.ts";

Deno.test("escapeHtml() makes any text survive as text and as an attribute", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...`<>&"' a;#x`) }), (text) => {
    const html = `<!DOCTYPE html><html><body><p title="${escapeHtml(text)}">${escapeHtml(text)}</p></body></html>`;
    const document = new DOMParser().parseFromString(html, "text/html");
    const [paragraph] = document.querySelectorAll("body *");
    assert.equal(document.querySelectorAll("body *").length, 1);
    assert.equal(paragraph!.textContent, text);
    assert.equal(paragraph!.getAttribute("title"), text);
  }));
});
