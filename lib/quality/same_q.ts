/** Scores closer than this are the same score: the same parts, added up another way, differ only in the last digits. */
export const SAME_Q = 1e-12;
