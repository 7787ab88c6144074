import { contentOf } from "../../../core/qr/QrContent.ts"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"

/** The target of a scanned text within the site. */
export type Scanned =
  | { readonly type: "payment"; readonly id: string; readonly channel: string | undefined }
  | { readonly type: "service"; readonly id: string; readonly channel: string | undefined }
  | { readonly type: "mandate"; readonly id: string }
  | { readonly type: "unknown" }

/** The longest link of ours. */
const LONGEST = 2_048

const APPROVAL = /^\/sandbox\/wallet\/mandates\/(mnd_[\w-]{1,64})$/

/**
 * Reads a scanned or pasted text: the link of a payment or a service in any of its forms, or the
 * address for approving a mandate.
 */
export const readScanned = (
  text: string,
  known: { readonly base_url: string; readonly currencies: CurrencyTable },
): Scanned => {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return { type: "unknown" }
  if (trimmed.startsWith(known.base_url)) {
    const [, id] = APPROVAL.exec(trimmed.slice(known.base_url.length)) ?? []
    if (id !== undefined) return { type: "mandate", id }
  }
  const content = contentOf(trimmed, known)
  if (content.format !== "svc" || content.link.type === "broken") return { type: "unknown" }
  const { id, type } = content.link
  const channel = content.link.channel ?? undefined
  return { type: type === "pay" ? "payment" : "service", id, channel }
}
