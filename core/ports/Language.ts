import { Context, type Effect } from "effect"
import type { Understanding } from "../language/Understanding.ts"

/** Understands requests in people's own words (AI-native endpoints). */
export class Language extends Context.Service<
  Language,
  {
    /**
     * Returns what the text asks for, within a few seconds. Never fails: an engine that is not
     * available is replaced by one that is. No answer is trusted with money.
     */
    readonly understand: (text: string) => Effect.Effect<Understanding>
  }
>()("payport/core/ports/Language") {}
