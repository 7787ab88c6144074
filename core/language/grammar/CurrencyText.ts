/** Names of currencies other than their ISO 4217 codes. The longest match counts. */
const NAMES: ReadonlyArray<readonly [names: RegExp, code: string]> = (
  [
    ["US\\$|U\\.S\\. dollars?|US dollars?|美元|美金|美刀", "USD"],
    ["HK\\$|Hong Kong dollars?|港币|港幣|港元", "HKD"],
    ["S\\$|SG\\$|Singapore dollars?|Sing dollars?|新加坡元|新币|坡币", "SGD"],
    ["A\\$|AU\\$|Australian dollars?|Aussie dollars?|澳元|澳币", "AUD"],
    ["C\\$|CA\\$|Canadian dollars?|加元|加币", "CAD"],
    ["NT\\$|New Taiwan dollars?|Taiwan dollars?|新台币|台币", "TWD"],
    ["R\\$|reais|real|雷亚尔", "BRL"],
    ["€|euros?|欧元", "EUR"],
    ["£|pounds?(?: sterling)?|quid|sterling|英镑", "GBP"],
    ["CN¥|RMB|renminbi|yuan|kuai|人民币|元钱|块钱|圆|元|块", "CNY"],
    ["JP¥|yen|日元|日圆|円", "JPY"],
    ["₹|Rs\\.?|rupees?|卢比", "INR"],
    ["₩|won|韩元|韩币", "KRW"],
    ["฿|baht|泰铢|泰币", "THB"],
    ["₱|Philippine pesos?|pesos?|比索", "PHP"],
    ["₫|dong|越南盾", "VND"],
    ["RM|ringgits?|马币|林吉特", "MYR"],
    ["Rp\\.?|rupiahs?|印尼盾", "IDR"],
    ["Swiss francs?|francs?|瑞士法郎|法郎", "CHF"],
  ] as const
).map(([names, code]) => [new RegExp(`(?:${names})`, "iy"), code])

/** Not before a letter of the same word: Chinese writes no blank before a Han character. */
const WORD_ENDS = String.raw`(?!(?!\p{Script=Han})\p{L})`

/**
 * Names of a hundredth or a tenth of a currency, with the currency where the name determines it.
 */
const PARTS: ReadonlyArray<readonly [names: RegExp, power: 1 | 2, code: string | undefined]> = [
  [/(?:euro ?cents?)/iy, 2, "EUR"],
  [new RegExp(`(?:cents?|¢|c)${WORD_ENDS}`, "iuy"), 2, undefined],
  [new RegExp(`(?:pence|penny|pennies|p)${WORD_ENDS}`, "iuy"), 2, "GBP"],
  [/(?:分钱|分)/y, 2, "CNY"],
  [/(?:毛钱|毛|角)/y, 1, "CNY"],
]

const YEN_SIGN = /¥/y

/** A dollar whose country the text does not name. */
const DOLLAR = /(?:\$|dollars?|bucks?|刀)/iy
const CODE = new RegExp(String.raw`[a-z]{3}${WORD_ENDS}(?!\d)`, "iuy")

/** Codes that are also words. They count as codes in capitals only. */
const WORDS: ReadonlySet<string> = new Set(
  (
    "all and ang are ars bam bob cad cop cup for gel get mad map mop mur nad new not now off old " +
    "one out pen per rub sar sos the top try two way won you zar"
  ).split(" "),
)

const isLetter = (text: string, at: number): boolean => /[a-z]/i.test(text.charAt(at))

const matchAt = (sticky: RegExp, text: string, at: number): string | undefined => {
  sticky.lastIndex = at
  const found = sticky.exec(text)?.[0]
  if (found === undefined) return undefined
  // A name in Latin letters must end where its word ends.
  const cut = isLetter(found, found.length - 1) && isLetter(text, at + found.length)
  return cut ? undefined : found
}

/** A name of several currencies, of which other characters or the context decide one. */
export type SharedName = "¥" | "$" | "cent"

const DOLLARS =
  "USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD"

const SHARING: { readonly [N in SharedName]: ReadonlySet<string> } = {
  "¥": new Set(["JPY", "CNY"]),
  $: new Set(DOLLARS.split(" ")),
  cent: new Set(`${DOLLARS} ANG AWG EUR KES LKR MUR SCR SLE SZL TZS XCG ZAR`.split(" ")),
}

/** The currencies that are meant where neither the text nor its context says otherwise. */
const USUAL: { readonly [N in SharedName]?: string } = { $: "USD", cent: "USD" }

/** Tells whether a currency is one of those that the name means. */
export const isMeantBy = (name: SharedName | undefined, code: string | undefined): boolean =>
  name !== undefined && code !== undefined && SHARING[name].has(code)

const THREE_DECIMALS: ReadonlySet<string | undefined> = new Set(
  "BHD JOD KWD LYD OMR TND".split(" "),
)

/** Tells whether amounts of a currency are usually written with three decimals. */
export const hasThreeDecimals = (code: string | undefined): boolean => THREE_DECIMALS.has(code)

/** Currencies with other parts than hundredths. */
const NO_HUNDREDTHS: ReadonlySet<string | undefined> = new Set([
  ...THREE_DECIMALS,
  ..."CLF IQD UYW".split(" "),
])

/** Tells whether two digits behind a whole amount are its hundredths: `five dollars fifty`. */
export const hasHundredths = (code: string | undefined): boolean => !NO_HUNDREDTHS.has(code)

const PESOS: ReadonlySet<string | undefined> = new Set("ARS CLP COP CUP DOP MXN UYU".split(" "))

/** Tells whether a currency is a peso whose sign is that of dollars. */
export const isPeso = (code: string | undefined): boolean => PESOS.has(code)

/**
 * Returns the currency that a name means beside `near`, that of the payment or of the context.
 * Undefined where it is not clear: beside pesos, `$20` may be dollars or pesos.
 */
export const currencyMeant = (name: SharedName, near: string | undefined): string | undefined => {
  if (isMeantBy(name, near)) return near
  if (name === "$" && isPeso(near)) return undefined
  // Whoever writes dollars beside euros does not mean euros.
  return near === undefined || name === "$" ? USUAL[name] : undefined
}

/** A currency that a text names, and where the name ends. */
export interface NamedCurrency {
  /** The most likely currency where the name is shared. */
  readonly code: string
  readonly shared?: SharedName
  readonly end: number
}

const yen = (text: string): string =>
  /[\u3040-\u30ff]|yen|japan|日元|日圆/i.test(text) ||
  !/\p{Script=Han}|yuan|rmb|china|chinese/iu.test(text)
    ? "JPY"
    : "CNY"

/** A yen sign also stands for yuan, unless Chinese or Japanese characters decide. */
const yenSign = (text: string): Omit<NamedCurrency, "end"> => ({
  code: yen(text),
  ...(!/[\p{Script=Han}\u3040-\u30ff]/u.test(text) && { shared: "¥" }),
})

/** Reads the currency whose name or code begins at `at`; `codes` are all ISO 4217 codes. */
export const currencyAt = (
  text: string,
  at: number,
  codes: ReadonlySet<string>,
): NamedCurrency | undefined => {
  if (at > 0 && isLetter(text, at) && isLetter(text, at - 1)) return undefined
  if (matchAt(YEN_SIGN, text, at) !== undefined) return { ...yenSign(text), end: at + 1 }
  const dollar = matchAt(DOLLAR, text, at)
  let best: NamedCurrency | undefined =
    dollar === undefined ? undefined : { code: "USD", shared: "$", end: at + dollar.length }
  for (const [names, code] of NAMES) {
    const found = matchAt(names, text, at)
    if (found === undefined || at + found.length <= (best?.end ?? 0)) continue
    best = { code, end: at + found.length }
  }
  if (best !== undefined) return best
  const code = matchAt(CODE, text, at)
  if (code === undefined || !codes.has(code.toUpperCase())) return undefined
  if (WORDS.has(code.toLowerCase()) && code !== code.toUpperCase()) return undefined
  return { code: code.toUpperCase(), end: at + code.length }
}

/** Reads the name of a currency's part at `at`: `power` is its number of decimals. */
export const partAt = (
  text: string,
  at: number,
):
  | { readonly power: 1 | 2; readonly code: string | undefined; readonly end: number }
  | undefined => {
  for (const [names, power, code] of PARTS) {
    const found = matchAt(names, text, at)
    if (found !== undefined) return { power, code, end: at + found.length }
  }
  return undefined
}
