/** How somebody has called the command, so that what it prints can be called, too. */
const COMMAND =
  process.env["npm_lifecycle_event"] === "simulate" ? "npm run simulate --" : "payport simulate"

/** An argument as shells of POSIX read it. */
const argument = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A call of the command with these arguments. */
export const callWith = (...args: ReadonlyArray<string | number>): string =>
  [COMMAND, ...args.map((arg) => argument(String(arg)))].join(" ")

/** How one world is run again by itself; the scenario is a name or a file. */
export const worldAgain = (
  scenario: string,
  seed: number,
  intents: number,
  set?: string,
): string => {
  const variables = set === undefined ? [] : ["--set", set]
  return callWith("--scenario", scenario, ...variables, "--seed", seed, "--intents", intents)
}
