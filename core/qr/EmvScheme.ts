import type { EmvAccount } from "./Emv.ts"

/** A national or bank scheme with EMV merchant codes, and how its accounts are recognized. */
export interface EmvScheme {
  readonly id: string
  /** The globally unique identifiers of its account templates, in upper case. */
  readonly identifiers: ReadonlyArray<string>
  /** The paths of the account's own number; the first existing one counts. */
  readonly merchant_id: ReadonlyArray<string>
}

/** The schemes with a known name. Codes of others are read too, under their identifiers. */
const EMV_SCHEMES: ReadonlyArray<EmvScheme> = [
  {
    id: "promptpay",
    identifiers: ["A000000677010111", "A000000677010112", "A000000677010113", "A000000677010114"],
    merchant_id: ["01", "02", "03", "04"],
  },
  { id: "paynow", identifiers: ["SG.PAYNOW"], merchant_id: ["02"] },
  { id: "pix", identifiers: ["BR.GOV.BCB.PIX"], merchant_id: ["01"] },
  { id: "upi", identifiers: ["A000000524"], merchant_id: ["01"] },
  { id: "qris", identifiers: ["ID.CO.QRIS.WWW"], merchant_id: ["02"] },
  { id: "duitnow", identifiers: ["A0000006150001"], merchant_id: ["02", "01"] },
  { id: "vietqr", identifiers: ["A000000727"], merchant_id: ["01.01"] },
  {
    id: "qrph",
    identifiers: ["PH.PPMI.P2M", "COM.P2PQRPAY"],
    merchant_id: ["03", "04", "05"],
  },
  { id: "fps", identifiers: ["HK.COM.HKICL"], merchant_id: ["02", "03", "04"] },
  { id: "fonepay", identifiers: ["FONEPAY.COM"], merchant_id: ["07", "01", "02"] },
]

/** Accounts in Cambodia have `name@bank` instead of a scheme's identifier. */
const KHQR: EmvScheme = { id: "khqr", identifiers: [], merchant_id: ["01", "00"] }

/** The tags that are reserved for card networks. */
const NETWORKS: ReadonlyArray<readonly [from: number, to: number, id: string]> = [
  [2, 3, "visa"],
  [4, 5, "mastercard"],
  [9, 10, "discover"],
  [11, 12, "amex"],
  [13, 14, "jcb"],
  [15, 16, "unionpay"],
]

/** Returns the scheme of an account; undefined for an unknown one. */
export const schemeOf = (account: EmvAccount, country: string | null): EmvScheme | undefined => {
  const tag = Number(account.tag)
  const network = NETWORKS.find(([from, to]) => tag >= from && tag <= to)
  if (network !== undefined) return { id: network[2], identifiers: [], merchant_id: [] }
  const identifier = account.globally_unique_identifier?.toUpperCase() ?? ""
  if (country === "KH" && (tag === 29 || tag === 30) && identifier.includes("@")) return KHQR
  return EMV_SCHEMES.find(({ identifiers }) => identifiers.includes(identifier))
}

/** Returns the account's id within its scheme; null where there is none. */
export const merchantIdOf = (account: EmvAccount, scheme: EmvScheme | undefined): string | null => {
  if (account.value !== null) return account.value
  for (const path of scheme?.merchant_id ?? ["01", "02"]) {
    const found = account.fields[path]
    if (found !== undefined && found !== "") return found
  }
  return null
}
