/** An instruction of a Dockerfile, such as `COPY core core`: its word and what follows. */
export interface Instruction {
  readonly word: string
  readonly rest: string
}

/** A Dockerfile's instructions, stage by stage, each on one line. */
export const stagesOf = (dockerfile: string): ReadonlyArray<ReadonlyArray<Instruction>> =>
  dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split(/^(?=FROM )/m)
    .filter((stage) => stage.trim() !== "")
    .map((stage) =>
      stage
        .trim()
        .split(/\n+/)
        .map((line) => {
          const [, word = "", rest = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
          return { word, rest }
        }),
    )
