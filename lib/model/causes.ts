import type { FailureCode } from "../schema/model_call.ts";

/**
 * What follows a failure. `final`: the model's or the request's own, never asked again, since another try would redraw the
 * answer or fail alike. `stop`: not asked again in this session; a later one may. `again`: asked again within the patience.
 * `once more`: asked again once, since each try is paid for.
 */
export type After = "final" | "stop" | "again" | "once more";

/** What follows a failure by its cause, where its row says nothing else. */
export const AFTER: Readonly<Record<FailureCode, After>> = {
  ...{ auth: "stop", bad_request: "stop", budget_stop: "stop", quota: "stop" },
  ...{ content_filter: "final", context_length: "final", oversize: "final", tool_call: "final", truncated: "final" },
  ...{ empty: "again", interrupted: "again", network: "again", protocol: "again", rate_limit: "again" },
  ...{ server: "again", timeout: "again", unknown: "again" },
};

/** The form of what came: a chat completion by what it lacks, an error in JSON, or something else. */
type Shape =
  | "reply"
  | "no text"
  | "reasoning alone"
  | "thought alone"
  | "cut thought"
  | "refusal"
  | "tool call"
  | "too much text"
  | "error"
  | "unreadable form"
  | "no numbers"
  | "page"
  | "no JSON";

/** What an endpoint sent. */
export interface Told {
  readonly shape: Shape;
  /** Of the response; inside a 200, the error's own. */
  readonly status?: number | undefined;
  /** The finish reason of a completion. */
  readonly finish?: string | undefined;
  /** All words of an error. */
  readonly words?: string | undefined;
}

/** A row of the table: a failure is of this cause where everything that the row names fits. */
export interface Cause {
  readonly code: FailureCode;
  readonly shape?: readonly Shape[];
  /** Beginnings of statuses: 5 is 500 to 599. */
  readonly status?: readonly number[];
  readonly finish?: RegExp;
  readonly words?: RegExp;
  /** Whether the words tell of a request that is larger than the limit itself. */
  readonly isBeyond?: boolean;
  /** By default as `AFTER` has it. */
  readonly after?: After;
  /** What helps, behind the endpoint's own words. `{key}`: the variable of the key; `{base}`: how to mend the address. */
  readonly say?: string;
}

const LONGER =
  '; --max-tokens N lets replies be longer (of one model: "asked" in scenarios/lineups.json), --reasoning-effort low ' +
  "leaves more of them to the words";
const SHORTER = "; show agents fewer arguments (--window K), give the model a larger context where it is served, or " +
  "choose one with a longer context (--council live:MODEL)";
const PATH = "; check {base}";

/** A complaint about a parameter: where two are named without `param`, the first, since the other is recommended instead. */
function unsupported(name: string): RegExp {
  const all = "max_completion_tokens|max_tokens|temperature|logprobs|seed";
  const first = `(?!.*"param": ?"(?:${all})")(?:(?!\\b(?:${all})\\b).)*\\b${name}\\b`;
  return new RegExp(
    `^(?=.*(?:unsupported|not support|unrecognized|unknown|not permitted|extra_forbidden))(?:.*"param": ?"${name}"|${first})`,
    "i",
  );
}

/** Whatever one of these says, the words of an error alone tell its cause. */
const BY_WORDS: readonly Cause[] = [
  {
    code: "bad_request",
    words:
      /^(?!.*`inputs`).*(?:supports at most \d+ completion tokens|maximum allowed number of output tokens|max_(?:completion_|new_)?tokens\W{1,3}(?:must be|should be) (?:less than or equal|<=|at most|between))/i,
    say: "; lower --max-tokens N (maxTokens)",
  },
  { code: "context_length", isBeyond: true, say: SHORTER },
  {
    code: "context_length",
    isBeyond: false,
    words:
      /^(?!.*max_tokens\W{1,3}must be less than or equal)(?!.*rate limit).*(?:context[ _-]?(?:length|window|size|limit|overflow)|maximum (?:context|(?:model|prompt|sequence|input) length)|(?:prompt|input|request|messages?|conversation|text)(?: (?:is|are|was))? too (?:long|many tokens)|longer than the (?:max|model|context)|tokens?(?: count)?\b.{0,40} exceeds?\b|exceeded model token limit|exceeds? (?:the |its )?max(?:imum)? (?:length|number of tokens|sequence|size)|`?inputs`? .{0,60}must (?:be <=|have less than)|must be at least 1, got (?:-|0)|range of input length|n_keep|too many tokens:|reduce (?:the|your) (?:length|message size|prompt|input)|max_prompt_tokens|string_above_max_length|request_too_large|too large for model with|超长)/i,
    say: SHORTER,
  },
  {
    code: "quota",
    words:
      /insufficient[_ -]?(?:quota|balance|credits?|funds)|billing_(?:hard_limit|not_active)|exceeded_current_quota|credit (?:balance|limit)|(?:no|any|out of|more|remaining|included) credits|Arrearage|spend[_ ]limit|余额不足|欠费/i,
    say: "; add credit",
  },
  {
    code: "rate_limit",
    isBeyond: false,
    words:
      /rate[_ -]?limit(?!.*content_filter)|throttl|too many (?:concurrent )?requests|too many tokens, please wait/i,
  },
  {
    code: "content_filter",
    words:
      /content[_ -]?(?:filter|policy|management policy|exists risk|moderation)|moderation|\bflagged|data_?inspection_?failed|considered high risk|usage (?:policy|policies|guidelines)|SAFETY_CHECK|guardrail|inappropriate content|PROHIBITED_CONTENT|block_?reason|safety (?:system|filter|setting)|敏感/i,
  },
  {
    code: "bad_request",
    words:
      /system (?:role|messages?|instructions?|prompts?)\b.{0,40}(?:\bnot\b|n't\b|unsupported)|support (?:the |a )?['"`]?system['"`]?\b|developer instruction is not|roles? (?:are|is) (?:supported|allowed), (?:but )?(?:got|found) ['"`]?system|unexpected role ['"`\\]*system|roles must alternate/i,
    say:
      '; "asked": { "MODEL": { "foldSystem": true } } in scenarios/lineups.json puts the system words into the first ' +
      "user message",
  },
  {
    code: "bad_request",
    words: /temperature\b.{0,80}(?:strictly positive|greater than 0|> ?0(?!\.\d*[1-9])|be positive|\(0)/i,
    say:
      "; give a temperature above 0, such as --temperature 0.01, or none with --no-temperature (sendTemperature: false)",
  },
  ...([
    ["max_completion_tokens", 'use --token-limit max_tokens (maxTokensName: "max_tokens")'],
    ["max_tokens", 'use --token-limit max_completion_tokens (maxTokensName: "max_completion_tokens")'],
    ["temperature", "use --no-temperature (sendTemperature: false), which is recorded"],
    ["logprobs", 'take "logprobs" off its provider in scenarios/providers.json (logprobs: false); no run needs them'],
    ["seed", "create the chat with sendSeed: false, which is recorded"],
  ] as const).map(([name, way]): Cause => ({
    code: "bad_request",
    words: unsupported(name),
    say: `; parameter ${name} is not supported: ${way}`,
  })),
  {
    code: "bad_request",
    words:
      /unexpected endpoint|404 page not found|cannot POST|no route|invalid URL \(POST|method not allowed|is running$/i,
    say: PATH,
  },
  {
    code: "auth",
    status: [200, 400],
    words:
      /(?:invalid|incorrect|missing|no|wrong)\b.{0,12}(?:api|access|auth)[ _-]?(?:key|token)|api key (?:not|is) |unauthori[sz]ed|authentication|permission[ _]denied/i,
    say: "; check {key} (apiKey) and that the key may use this model",
  },
  {
    code: "server",
    status: [200, 400],
    words:
      /server_error|internal (?:server )?error|overloaded|unavailable|too busy|\bloading\b|is warming|timed out|at capacity|try again later|upstream|负载|CUDA|out of memory/i,
  },
];

/** How a completion ended, in every server's words. */
const BY_FINISH: readonly Cause[] = [
  {
    code: "truncated",
    finish:
      /^(?:length|(?:model|max|context)_?length(?:_exceeded)?|max_?(?:(?:output|new|completion)_?)?tokens(?:_reached)?|token_?limit|model_context_window_exceeded|error_limit|repetition_truncation|incomplete|truncated)$/i,
    say: LONGER,
  },
  {
    code: "content_filter",
    finish:
      /^(?:content[_ -]?filter(?:ed)?|(?:image_)?safety|recitation|blocklist|prohibited_content|spii|refusal|guardrails?(?:_intervened)?|sensitive|error_toxic|moderation|flagged|blocked)\b/i,
  },
  // Some name so a rule of theirs that stopped the reply; beside words it says nothing.
  { code: "content_filter", shape: ["no text"], finish: /^(?:other|language|unspecified)$/i },
  {
    code: "server",
    finish:
      /^(?:abort(?:ed)?|error|insufficient_system_resource|(?:user_)?cancell?(?:ed)?|[a-z]*_error|timeout|time_limit|fail(?:ed|ure)|unavailable|overloaded|preempted|not_finished|(?:un)?load)$/i,
  },
  { code: "tool_call", finish: /^(?:malformed_function_call|unexpected_tool_call|too_many_tool_calls)$/i },
];

/** Where words and finish reason tell nothing. */
const BY_FORM: readonly Cause[] = [
  { code: "content_filter", shape: ["refusal"] },
  { code: "oversize", shape: ["too much text"] },
  { code: "truncated", shape: ["cut thought"], say: LONGER },
  {
    code: "empty",
    shape: ["thought alone"],
    after: "once more",
    say: "; turn thinking off where the model is served, or down (--reasoning-effort low)",
  },
  {
    code: "empty",
    shape: ["reasoning alone"],
    after: "once more",
    say: "; start the server without its reasoning parser, or turn thinking off or down (--reasoning-effort low)",
  },
  {
    code: "tool_call",
    shape: ["tool call"],
    say: "; turn tools off where the model is served, or ask another model",
  },
  { code: "empty", shape: ["no text"] },
  { code: "protocol", shape: ["unreadable form"], after: "stop" },
  {
    code: "protocol",
    shape: ["no numbers"],
    after: "stop",
    say: '; log-probabilities may hold them: take "logprobs" off its provider in scenarios/providers.json',
  },
  { code: "protocol", shape: ["page"], status: [2], say: PATH },
  { code: "protocol", shape: ["no JSON"], status: [2] },
  { code: "auth", status: [401, 403], say: "; check {key} (apiKey) and that the key may use this model" },
  { code: "quota", status: [402], say: "; add credit" },
  { code: "timeout", status: [408] },
  { code: "context_length", status: [413], say: SHORTER },
  { code: "rate_limit", status: [429] },
  { code: "server", status: [409, 425, 5] },
  {
    code: "bad_request",
    status: [400, 404, 406, 410, 415, 422],
    words: /\bmodel\b/i,
    say: "; choose a model that the endpoint has with --council live:MODEL",
  },
  { code: "bad_request", status: [3, 404, 405, 410], words: /^(?!.*\bmodel\b)/i, say: PATH },
  {
    code: "bad_request",
    status: [400, 406, 411, 412, 414, 415, 417, 421, 422, 424, 426, 428, 431, 451],
    words: /^(?!.*\bmodel\b)/i,
  },
];

/**
 * Why calls fail: what came, its cause, what follows, and what to say. The first row that fits counts; rows by form say
 * what is left where no words and no finish reason are known.
 */
export const CAUSES: { readonly [Part in "words" | "finish" | "form"]: readonly Cause[] } = {
  words: BY_WORDS,
  finish: BY_FINISH,
  form: BY_FORM,
};

/** The cause of what no row fits. */
const UNKNOWN: Cause = { code: "unknown" };

/** Whether a row fits what came. */
export function fits({ shape, status, finish, words, isBeyond }: Cause, told: Told): boolean {
  const text = told.words ?? "";
  return (shape?.includes(told.shape) ?? true) &&
    (status?.some((one) => String(told.status ?? 200).startsWith(String(one))) ?? true) &&
    (finish?.test(told.finish ?? "") ?? true) &&
    (words?.test(text) ?? true) &&
    (isBeyond === undefined || isBeyond === asksBeyond(text));
}

/** The cause of a failure, whole. */
export function causeOf(told: Told): Required<Pick<Cause, "code" | "after" | "say">> {
  const parts = [told.words ? BY_WORDS : [], told.finish ? BY_FINISH : [], BY_FORM];
  const row = parts.flat().find((row) => fits(row, told)) ?? UNKNOWN, { code, say = "" } = row;
  return { code, after: row.after ?? AFTER[code], say };
}

/** Whether a limit is told that one request alone exceeds: to wait for it is no use. */
function asksBeyond(words: string): boolean {
  const [limit, asked] = [/\bLimit:? ([\d,]+)/i, /\bRequested:? ([\d,]+)/i].map((one) => one.exec(words)?.[1]);
  return limit !== undefined && asked !== undefined && amount(asked) > amount(limit);
}

const amount = (text: string): number => Number(text.replaceAll(",", ""));
