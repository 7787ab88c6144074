import { type Mutant, shows } from "./bugs.ts"
import { CORE } from "./coreBugs.ts"
import { MONEY } from "./moneyBugs.ts"
import { WEBHOOKS } from "./webhookBugs.ts"

/** Bugs that services have. */
export const MUTANTS: ReadonlyArray<Mutant> = [...CORE, ...MONEY, ...WEBHOOKS]

/** Bugs that no request of this grader shows: they count against it. */
export const UNSEEN: ReadonlyArray<Omit<Mutant, "named">> = [
  {
    name: "forgets what a payment was for",
    parts: shows((fields) =>
      fields["description"] === undefined ? fields : { ...fields, description: "" },
    ),
  },
]
