import { amountsIn } from "../../../core/language/grammar/AmountText.ts"
import { normal } from "../../../core/language/grammar/Normal.ts"
import { ordersIn } from "../../../core/language/grammar/Reading.ts"
import type { Understanding } from "../../../core/language/Understanding.ts"
import { entitiesOf } from "./entitiesOf.ts"
import { intentOf } from "./intentOf.ts"

/** The confidence if every word of a text is read. */
const READ = 0.98

/**
 * Understands English and Chinese by rules, at once and deterministically: by the grammar, and if
 * words are left over, by patterns that guess the subject.
 */
export const understand = (text: string, codes: ReadonlySet<string>): Understanding => {
  const [order] = ordersIn(text, codes)
  if (order !== undefined) {
    const { intent: read, shared: _, ...entities } = order
    return { intent: read, confidence: READ, entities }
  }
  const plain = normal(text).replace(/\s+/g, " ").trim()
  const { confidence, intent } = intentOf(
    plain,
    amountsIn(plain, codes).some(({ currency }) => currency !== undefined),
  )
  return {
    intent,
    confidence,
    entities: intent === "unknown" ? {} : entitiesOf(plain, intent, codes),
  }
}
