import { Effect, Layer } from "effect"
import type { Understanding } from "../../core/language/Understanding.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { Language } from "../../core/ports/Language.ts"
import type { ModelSettings } from "./ModelSettings.ts"
import { understand } from "./rules/engine.ts"

/** Time limit of a model before the rules answer, in milliseconds. */
const PATIENCE = 8_000

const byRules = Effect.map(Installation, ({ currencies }) => {
  const codes: ReadonlySet<string> = new Set(currencies.keys())
  return (text: string) => Effect.sync(() => understand(text, codes))
})

/** Understands texts by rules only: at once, and without sending them anywhere. */
export const rulesLanguage: Layer.Layer<Language, never, Installation> = Layer.effect(
  Language,
  Effect.map(byRules, (rules) => ({ understand: rules })),
)

/** A confidence below which nothing is executed. */
const DOUBTFUL = 0.5

/** The confidence from which the rules are reliable, even if they find no intent. */
const CERTAIN = 0.9

/**
 * Lowers the confidence of the model's understanding if the rules clearly find another intent: the
 * text may have talked the model into a refund.
 */
const lessSure = (modelled: Understanding, ruled: Understanding): Understanding =>
  modelled.intent !== ruled.intent && ruled.confidence >= CERTAIN
    ? { ...modelled, confidence: Math.min(modelled.confidence, DOUBTFUL) }
    : modelled

/** Sends texts to a language model. If its answer is late or malformed, the rules answer. */
export const modelLanguage = (
  settings: ModelSettings,
): Layer.Layer<Language, never, Installation> =>
  Layer.effect(
    Language,
    Effect.gen(function* () {
      const rules = yield* byRules
      // The model's packages are loaded only if it is configured.
      const { askModel } = yield* Effect.promise(() => import("./model.ts"))
      const ask = yield* askModel(settings)
      return {
        understand: (text: string) =>
          ask(text).pipe(
            Effect.timeout(settings.timeout ?? PATIENCE),
            Effect.flatMap((modelled) =>
              Effect.map(rules(text), (ruled) => lessSure(modelled, ruled)),
            ),
            Effect.catch((error) =>
              Effect.andThen(
                Effect.logWarning("the language model failed or gave no valid answer", {
                  why: error._tag,
                }),
                rules(text),
              ),
            ),
          ),
      }
    }),
  )
