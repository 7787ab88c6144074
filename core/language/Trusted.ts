import { namesAmount } from "./AmountText.ts"
import type { Entities, Understanding } from "./Understanding.ts"

const isIn = (text: string, part: string | undefined): boolean =>
  part !== undefined && text.normalize("NFKC").toLowerCase().includes(part.toLowerCase())

/**
 * What of an engine's answer may be acted on. An amount, a payment or a service by its id counts
 * only where the text itself holds it: an engine may misread, invent or be talked into things.
 */
export const trusted = (
  text: string,
  { confidence, entities, intent }: Understanding,
  codes: ReadonlySet<string>,
): Understanding => {
  const { amount, currency, payment_intent, service_id, ...others } = entities
  const kept: Entities = {
    ...others,
    ...(amount !== undefined && namesAmount(text, codes, amount, currency) && { amount }),
    ...(currency !== undefined && codes.has(currency) && { currency }),
    ...(payment_intent !== undefined && isIn(text, payment_intent) && { payment_intent }),
    ...(service_id !== undefined && isIn(text, service_id) && { service_id }),
  }
  return { intent, confidence, entities: kept }
}
