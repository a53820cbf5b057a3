import { readFileSync } from "node:fs";
// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import { vote } from "@/record/mod.ts";

const state = vote(["guilty", "not guilty"]);

/** A table whose votes are words. */
export default function* jury(path: string) {
  for (const { run, round, agent, choice } of csvParse(readFileSync(path, "utf8"))) {
    yield { run: run!, round: Number(round), agent: agent!, state: state(choice!) };
  }
}
