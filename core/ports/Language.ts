import { Context, type Effect } from "effect"
import type { Understanding } from "../language/Understanding.ts"

/** Understands what people want in their own words (AI-native endpoints). */
export class Language extends Context.Service<
  Language,
  {
    /**
     * What the text asks for. It answers within a few seconds and never fails: an engine that is
     * not to be had is stood in for by one that is. Nothing it says is trusted with money.
     */
    readonly understand: (text: string) => Effect.Effect<Understanding>
  }
>()("payport/core/ports/Language") {}
