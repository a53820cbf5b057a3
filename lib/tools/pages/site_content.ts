/** What the landing page and "What needs no surrogate" choose from the notebooks; words and numbers are read from these. */

/** A finding: its notebook, and words of its claim or sentence; without words the notebook's answer. */
export type Choice = readonly [notebook: string, words?: string];

export const QUESTION = "Run the same committee of language models again. Where does it end?";
export const LEDE =
  "Notebooks that measure how far groups of models drift apart, why, and what their decisions are worth.";

/** Notebooks that a newcomer may want first, and what to do there. */
export const BUTTONS: Readonly<Record<string, string>> = {
  "00_start_here": "Start here",
  "deliberation/16_explorer": "Try it in the page",
  "groups/03_your_own_records": "Measure your own",
};

export const FINDINGS: readonly Choice[] = [
  ["groups/01_do_real_groups_diverge"],
  ["groups/02_negotiations", "temperature 0"],
  ["groups/01_do_real_groups_diverge", "exponential"],
  ["station/03_fallback_floor"],
  ["deliberation/02_chair", "in every one"],
  ["station/05_weights"],
];

interface Group {
  readonly heading: string;
  readonly folder?: string;
  readonly notebooks: readonly string[];
}

/** Notebooks by question. */
export const QUESTIONS: readonly Group[] = [
  {
    heading: "Learn",
    notebooks: ["00_start_here", "deliberation/16_explorer", "deliberation/09_growth", "deliberation/18_twins"],
  },
  {
    heading: "Real groups",
    folder: "groups",
    notebooks: ["groups/01_do_real_groups_diverge", "groups/02_negotiations"],
  },
  { heading: "Paper 1: deliberation", folder: "deliberation", notebooks: ["deliberation/01_two_routes"] },
  { heading: "Paper 2: station", folder: "station", notebooks: ["station/01_one_run"] },
  {
    heading: "Can it be trusted?",
    notebooks: [
      "deliberation/10_estimators",
      "deliberation/11_planning_and_many_tests",
      "deliberation/03_surrogate",
      "deliberation/12_claims",
      "station/07_claims",
      "deliberation/14_accounting",
      "deliberation/19_registered",
      "station/10_model_seed_or_chance",
    ],
  },
  {
    heading: "Do your own",
    notebooks: ["deliberation/17_make_your_own", "deliberation/20_going_live", "groups/03_your_own_records"],
  },
];

/** The group of a notebook: that which names it, that of its folder, or the last. */
export const groupOf = (name: string): Group =>
  QUESTIONS.find(({ notebooks }) => notebooks.includes(name)) ??
    QUESTIONS.find(({ folder }) => folder !== undefined && name.startsWith(`${folder}/`)) ?? QUESTIONS.at(-1)!;

/** Sections of the page of what needs no surrogate: notebooks, and figures of theirs that are drawn there. */
export const NO_SURROGATE: readonly {
  readonly heading: string;
  readonly words: string;
  readonly notebooks: readonly string[];
  readonly figures: readonly string[];
}[] = [
  {
    heading: "Real groups",
    words: "Groups of language models that others ran and published, measured as the papers measure theirs.",
    notebooks: ["groups/01_do_real_groups_diverge", "groups/02_negotiations"],
    figures: ["groups-slopes"],
  },
  {
    heading: "Published tables",
    words: "The papers' tables, computed again from the numbers that they print.",
    notebooks: ["station/04_quality_tables", "station/10_model_seed_or_chance", "deliberation/09_growth"],
    figures: ["family-by-seed", "growth-published-slopes"],
  },
  {
    heading: "Claims",
    words:
      "Each statement of the papers that their printed numbers can decide, judged by a criterion given beforehand.",
    notebooks: ["deliberation/12_claims", "station/07_claims", "deliberation/13_models", "deliberation/08_wording"],
    figures: ["verdicts", "claims-by-section"],
  },
  {
    heading: "Bounds",
    words: "What stays certain of the printed scores under other weights, whatever was not printed.",
    notebooks: ["station/05_weights", "station/06_rescore_explorer"],
    figures: ["weights-families"],
  },
  {
    heading: "Planning",
    words: "How many runs a study needs to show a difference of a given size.",
    notebooks: ["deliberation/11_planning_and_many_tests"],
    figures: [],
  },
  {
    heading: "Estimators",
    words: "How often intervals and tests are right on processes whose growth is known by construction.",
    notebooks: ["deliberation/10_estimators"],
    figures: [],
  },
];
