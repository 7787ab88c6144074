import { shellArgument } from "../shellArgument.ts"
import type { ScenarioChoice } from "./scenarioOf.ts"

/** The command as the user called it, so that printed commands can be called, too. */
const COMMAND =
  process.env["npm_lifecycle_event"] === "simulate" ? "npm run simulate --" : "payport simulate"

/** Returns a call of the command with these arguments. */
export const callWith = (...args: ReadonlyArray<string | number>): string =>
  [COMMAND, ...args.map((arg) => shellArgument(String(arg)))].join(" ")

/** Returns the arguments that select the same scenario, by name or file. */
export const choiceArguments = ({
  library,
  set,
}: Pick<ScenarioChoice, "library" | "set">): ReadonlyArray<string> => [
  ...(library === undefined ? [] : ["--library", library]),
  ...set.flatMap((given) => ["--set", given]),
]

/** Returns the command that runs one world again; the scenario is a name or a file. */
export const worldAgain = (
  scenario: string,
  seed: number,
  intents: number,
  choice: Pick<ScenarioChoice, "library" | "set"> = { library: undefined, set: [] },
): string =>
  callWith("--scenario", scenario, ...choiceArguments(choice), "--seed", seed, "--intents", intents)
