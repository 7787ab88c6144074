import { Effect, Layer } from "effect"
import type { Understanding } from "../../core/language/Understanding.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { Language } from "../../core/ports/Language.ts"
import type { ModelSettings } from "./ModelSettings.ts"
import { understand } from "./rules/engine.ts"

/** How long a model may take before the rules answer, in milliseconds. */
const PATIENCE = 8_000

const byRules = Effect.map(Installation, ({ currencies }) => {
  const codes: ReadonlySet<string> = new Set(currencies.keys())
  return (text: string) => Effect.sync(() => understand(text, codes))
})

/** Texts are understood by rules alone: at once, and without anything leaving the service. */
export const rulesLanguage: Layer.Layer<Language, never, Installation> = Layer.effect(
  Language,
  Effect.map(byRules, (rules) => ({ understand: rules })),
)

/** So sure is nobody that anything would be carried out. */
const DOUBTFUL = 0.5

/** From here on the rules know what they say, also that a text asks for nothing. */
const CERTAIN = 0.9

/**
 * What a model says, and less sure where the rules plainly read something else: a model that was
 * talked into a refund by what it read is the one that errs.
 */
const doubted = (said: Understanding, ruled: Understanding): Understanding =>
  said.intent !== ruled.intent && ruled.confidence >= CERTAIN
    ? { ...said, confidence: Math.min(said.confidence, DOUBTFUL) }
    : said

/**
 * Texts are sent to a language model; while it does not answer in time, or not in the agreed form,
 * the rules do.
 */
export const modelLanguage = (
  settings: ModelSettings,
): Layer.Layer<Language, never, Installation> =>
  Layer.effect(
    Language,
    Effect.gen(function* () {
      const rules = yield* byRules
      // What is not configured is not loaded.
      const { askModel } = yield* Effect.promise(() => import("./model.ts"))
      const ask = yield* askModel(settings)
      return {
        understand: (text: string) =>
          ask(text).pipe(
            Effect.timeout(settings.timeout ?? PATIENCE),
            Effect.flatMap((said) => Effect.map(rules(text), (ruled) => doubted(said, ruled))),
            Effect.catch((error) =>
              Effect.andThen(
                Effect.logWarning("the language model was of no use", { why: error._tag }),
                rules(text),
              ),
            ),
          ),
      }
    }),
  )
