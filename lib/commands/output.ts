import process from "node:process";

/** A line of result, on standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** A line about the work, on standard error. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);
