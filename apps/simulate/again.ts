import type { ScenarioChoice } from "./scenarioOf.ts"

/** How somebody has called the command, so that what it prints can be called, too. */
const COMMAND =
  process.env["npm_lifecycle_event"] === "simulate" ? "npm run simulate --" : "payport simulate"

/** An argument as shells of POSIX read it. */
const argument = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A call of the command with these arguments. */
export const callWith = (...args: ReadonlyArray<string | number>): string =>
  [COMMAND, ...args.map((arg) => argument(String(arg)))].join(" ")

/** What makes a scenario of a name or a file what it was. */
export const choiceArguments = ({
  library,
  set,
}: Pick<ScenarioChoice, "library" | "set">): ReadonlyArray<string> => [
  ...(library === undefined ? [] : ["--library", library]),
  ...set.flatMap((given) => ["--set", given]),
]

/** How one world is run again by itself; the scenario is a name or a file. */
export const worldAgain = (
  scenario: string,
  seed: number,
  intents: number,
  choice: Pick<ScenarioChoice, "library" | "set"> = { library: undefined, set: [] },
): string =>
  callWith("--scenario", scenario, ...choiceArguments(choice), "--seed", seed, "--intents", intents)
