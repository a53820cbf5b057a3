/** Single-model line-ups by the model's name as Tables S1 and S6 print it. */
export const PUBLISHED_LINEUPS: Readonly<Record<string, string>> = {
  "GPT-4.1": "gpt-4-1",
  "Claude Sonnet 4.6": "claude-sonnet-4-6",
  "Gemini 2.5 Flash": "gemini-2-5-flash",
  "Grok-3": "grok-3",
  "GPT-4.1-mini": "uniform",
};
