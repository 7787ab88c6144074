import { type Flaw, storing, withIntents } from "./flaw.ts"

/** Flaws in the reading of texts: each drops some words, or pays something else. */
export const spokenFlaws: ReadonlyArray<Flaw> = [
  {
    name: "when and whether to pay is not heard",
    noticed_by: [96],
    alterations: { hears: (text) => text.replace(/ (?:on Friday|if it rains|every week)$/, "") },
  },
  {
    name: "a word that says not is not heard",
    noticed_by: [96],
    alterations: { hears: (text) => text.replace(/^(?:don't |不要)/, "") },
  },
  {
    name: "what words pay is ten dollars more than was said",
    noticed_by: [96],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { amount, description } = write.record
        if (description !== "Whatever was Said" || write.op !== "insert") return write
        const more = { ...amount, value: amount.value + 1_000 }
        return { ...write, record: { ...write.record, amount: more } }
      }),
    ),
  },
  {
    name: "the cents of what is said are not heard",
    noticed_by: [96],
    parts: ["speaking buyers"],
    alterations: { hears: (text) => text.replace(/ and [a-z\d-]+ cents/, "") },
  },
]
