import type { CurrencyTable } from "../shared/Currency.ts"
import { type Emv, isEmv, parseEmv } from "./Emv.ts"
import { withoutEnds } from "./ScannedText.ts"
import { isLink, parseLink, type QrLink } from "./QrLink.ts"

/** The content of a QR code: a link of ours, a merchant code, a URL, or other text. */
export type QrContent =
  | { readonly format: "svc"; readonly link: QrLink }
  | { readonly format: "emv"; readonly emv: Emv }
  | { readonly format: "url"; readonly url: string }
  | { readonly format: "text" }

/** Matches web URLs. Other schemes, such as those of scripts, count as text. */
const WEB = /^https?:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i

const MOST_URL = 2048

/** Turns the URL of a payment's hosted page into a link to the payment. */
const hosted = (text: string, baseUrl: string): string | undefined => {
  const prefix = `${baseUrl}/pay/`
  return text.startsWith(prefix) ? `svc://pay/${text.slice(prefix.length)}` : undefined
}

/** Classifies a scanned text without fetching anything that it names. */
export const contentOf = (
  scanned: string,
  known: { readonly base_url: string; readonly currencies: CurrencyTable },
): QrContent => {
  const text = withoutEnds(scanned)
  const link = isLink(text) ? text : hosted(text, known.base_url)
  if (link !== undefined) return { format: "svc", link: parseLink(link) }
  if (text.length <= MOST_URL && WEB.test(text)) return { format: "url", url: text }
  if (isEmv(text)) return { format: "emv", emv: parseEmv(text, known.currencies) }
  return { format: "text" }
}
