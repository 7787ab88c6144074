import type { EmvAccount } from "./Emv.ts"

/** A national or bank scheme whose merchant codes follow EMV, and how its accounts are told. */
export interface EmvScheme {
  readonly id: string
  /** The globally unique identifiers of its account templates, in upper case. */
  readonly identifiers: ReadonlyArray<string>
  /** Where an account's own number is, by paths of tags: the first that is there. */
  readonly merchant_id: ReadonlyArray<string>
}

/** The schemes that are known by name. Others are still read, and go by their identifier. */
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

/** Cambodia's accounts have no identifier of a scheme: `name@bank` stands in its place. */
const KHQR: EmvScheme = { id: "khqr", identifiers: [], merchant_id: ["01", "00"] }

/** Tags that card networks have to themselves. */
const NETWORKS: ReadonlyArray<readonly [from: number, to: number, id: string]> = [
  [2, 3, "visa"],
  [4, 5, "mastercard"],
  [9, 10, "discover"],
  [11, 12, "amex"],
  [13, 14, "jcb"],
  [15, 16, "unionpay"],
]

/** The scheme of an account; undefined for one that is not known by name. */
export const schemeOf = (account: EmvAccount, country: string | null): EmvScheme | undefined => {
  const tag = Number(account.tag)
  const network = NETWORKS.find(([from, to]) => tag >= from && tag <= to)
  if (network !== undefined) return { id: network[2], identifiers: [], merchant_id: [] }
  const identifier = account.globally_unique_identifier?.toUpperCase() ?? ""
  if (country === "KH" && (tag === 29 || tag === 30) && identifier.includes("@")) return KHQR
  return EMV_SCHEMES.find(({ identifiers }) => identifiers.includes(identifier))
}

/** What names an account within its scheme; null where nothing does. */
export const merchantIdOf = (account: EmvAccount, scheme: EmvScheme | undefined): string | null => {
  if (account.value !== null) return account.value
  for (const path of scheme?.merchant_id ?? ["01", "02"]) {
    const found = account.fields[path]
    if (found !== undefined && found !== "") return found
  }
  return null
}
