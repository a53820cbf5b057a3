import assert from "node:assert/strict";
import { parseStateLine } from "@/deliberation/parse_state_line.ts";
import { parseBallot, parseClerkReport } from "@/deliberation/parse_vote.ts";
import { loadPromptPack } from "@/runs/scenarios.ts";
import { PromptPack } from "@/schema/prompt_pack.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";

const pack = await loadPromptPack();
const RULES = { optionCount: 3, seats: 5, normaliser: false };

/** Each clause of the deliberation paper's S2.2-S2.4 by what it cannot be said without. */
function clauses(name: string, text: string, facts: Readonly<Record<string, RegExp>>): void {
  for (const [fact, words] of Object.entries(facts)) {
    Deno.test(`${name}: ${fact}`, () => assert.match(text, words));
  }
}

clauses("preamble (S2.2)", pack.preamble, {
  "an AI agent in a structured deliberation of a committee": /AI agent\b.*\bcommittee\b.*\bstructured deliberation/,
  "one collective decision on a policy scenario": /collective decision on a policy scenario/,
  "argues for its position": /\bArgue for the position you hold\b/,
  "updates it on evidence and dialogue": /\brevise it as evidence and the others' arguments warrant\b/,
  "casts a private ballot at the end": /\bat the end\b.*\bprivate ballot\b/,
  "exactly one STATE line in every reply": /^Every reply MUST contain exactly one STATE line\b/m,
  "the STATE line's format": /^\{\{stateLine\}\}$/m,
  "floats, one an option, that sum to 1.0":
    /pref are decimals between 0 and 1, one for each.*\{\{letters\}\}.*add up to 1\.0\b/,
  "confidence from 0 to 100": /conf is your confidence, a whole number from 0 to 100\b/,
  "exactly two short concept tags in snake_case": /exactly two short concept tags written in snake_case\b/,
  "at most 110 words": /\bargument to 110 words at most\b/,
  "direct and specific": /\bBe direct and specific\b/,
});

const MANDATES: Readonly<Record<Role, Readonly<Record<string, RegExp>>>> = {
  Chair: {
    "facilitates productive deliberation": /\bKeep the deliberation productive\b/,
    "synthesises viewpoints": /\bBring the different viewpoints together\b/,
    "names agreement and disagreement": /\bwhere members agree and where they do not\b/,
    "helps towards a reasoned consensus": /\btowards a reasoned consensus\b/,
    "may challenge weakly supported arguments": /\bmay challenge an argument that looks weakly supported\b/,
    "advocates no predetermined outcome": /\bdo not argue for an outcome fixed in advance\b/,
  },
  Welfare: {
    "puts aggregate welfare first": /\baggregate welfare first\b/,
    "efficiency": /\befficiency\b/,
    "costs and benefits": /\bcosts and benefits\b/,
    "is explicit about tradeoffs": /\bState tradeoffs\b.*\bexplicitly\b/,
    "second-order effects": /\bsecond-order effects\b/,
    "unintended consequences": /\bunintended consequences\b/,
  },
  Rights: {
    "defends individual rights": /\bStand up for individual rights\b/,
    "due process": /\bdue process\b/,
    "non-discrimination": /\bnon-discrimination\b/,
    "flags what compromises fundamental rights": /\bFlag every option that compromises a fundamental right\b/,
    "even against aggregate benefits": /\beven one that brings aggregate benefits\b/,
    "deontological constraints come first": /\bDeontological constraints come first\b/,
  },
  Equity: {
    "distributive justice": /\bdistributive justice\b/,
    "structural inequality": /\bstructural inequality\b/,
    "flags disparate impacts on the historically marginalised":
      /\bFlag disparate impacts on groups that have historically been marginalised\b/,
    "advocates what reduces systemic disadvantage": /\bAdvocate the options that reduce systemic disadvantage\b/,
  },
  Security: {
    "assesses risks": /\bAssess the risks\b/,
    "institutional stability": /\binstitutional stability\b/,
    "public safety": /\bpublic safety\b/,
    "long-term systemic resilience": /\blong-term systemic resilience\b/,
    "flags unpredictable second-order harms": /\bFlag options\b.*\bsecond-order harms nobody can predict\b/,
    "precaution under uncertainty": /\bWhere uncertainty is high, give priority to precaution\b/,
  },
};
for (const role of ROLES) clauses(`mandate of ${role} (S2.2)`, pack.mandates[role], MANDATES[role]);

clauses("repair request (S2.3)", pack.repair, {
  "says that no valid STATE line was there": /^There was no valid STATE line in your previous response\./,
  "asks for the corrected line alone": /\bReply with ONLY the corrected STATE line\b/,
  "repeats the format": /^\{\{stateLine\}\}$/m,
});

clauses("ballot (S2.4)", pack.ballot, {
  "private": /\bprivate ballot\b.*\bno other member will see it\b/,
  "JSON alone": /\breply with ONLY a JSON object\b/,
  "confidence from 0 to 100": /\bconfidence from 0 to 100\b/,
  "after the deliberation": /\bThe deliberation is over\b/,
});

clauses("clerk (S2.4)", pack.clerk, {
  "aggregates votes": /^CLERK: You aggregate the votes\b/,
  "is given the private ballots": /private ballots:\n\{\{ballots\}\}\n/,
  "finds the majority decision": /\bDetermine the majority decision\b/,
  "returns JSON alone": /\bReturn ONLY valid JSON\b/,
});

clauses("turn (S2.1)", pack.turn, {
  "packet, then window, then table":
    /^\{\{packet\}\}\n[\s\S]*latest arguments, oldest first[\s\S]*\{\{window\}\}\n[\s\S]*\{\{table\}\}\n/,
  "the round and the speaker": /\bround \{\{round\}\} of \{\{rounds\}\}\. You speak as \{\{label\}\}/,
});

Deno.test("the mandates are told apart: no two share a sentence, and the preamble names no role", () => {
  const sentences = ROLES.flatMap((role) => pack.mandates[role].replace("Your mandate: ", "").split(". "));
  assert.equal(new Set(sentences).size, sentences.length);
  for (const role of ROLES) assert.ok(!pack.preamble.includes(role));
  for (const role of ROLES) assert.match(pack.mandates[role], /^Your mandate: /);
});

Deno.test("the formats asked for are the ones that are read", () => {
  const written = pack.stateLine.replace("{{preferences}}", "0.5,0.3,0.2").replace("NN", "70");
  const value = { preferences: [0.5, 0.3, 0.2], confidence: 70, tags: ["tag_one", "tag_two"] };
  assert.deepEqual(parseStateLine(written, 3), { ok: true, value });
  assert.equal(pack.stateLine, 'STATE: pref=[{{preferences}}]; conf=NN; tags=["tag_one","tag_two"]');

  const lastLine = (text: string) => text.split("\n").at(-1)!.replaceAll("N", "5");
  for (const text of [pack.ballot, pack.ballotAgain]) {
    assert.deepEqual(parseBallot(lastLine(text), RULES), {
      ok: true,
      value: { value: { decision: "A", confidence: 5 }, repairs: [] },
    });
  }
  const report = parseClerkReport(lastLine(pack.clerk), RULES);
  assert.deepEqual(report.ok && report.value.value, JSON.parse('{"decision": "A", "majority_count": 5, "total": 5}'));
});

for (
  const [repair, message] of [
    ["Reply with the line.", "lacks {{stateLine}}"],
    ["Reply with {{stateLine}}, {{constructor}}.", "holds {{constructor}}, which nothing fills in"],
  ] as const
) {
  Deno.test(`a prompt pack whose text ${message} is refused before any call`, () => {
    const checked = PromptPack.safeParse({ ...pack, repair });
    assert.deepEqual(checked.error?.issues.map(({ path, message }) => [path, message]), [[["repair"], message]]);
  });
}
