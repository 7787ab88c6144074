// Written independently of core/language on purpose: how people call currencies.

import type { AmountRead } from "../auditor/invariants/wordings.ts"

/** A currency, and whether several have its name. */
export type Named = Pick<AmountRead, "currency" | "shared">

/** A name of a currency before or behind a number. */
export type Name = readonly [words: string, named: Named]

const of = (currency: string, names: string): ReadonlyArray<Name> =>
  names.split(",").map((words) => [words, { currency }] as const)

/** A dollar whose country is not named. */
export const DOLLAR: Named = { currency: "USD", shared: "$" }

/** Names before a number. */
export const BEFORE: ReadonlyArray<Name> = [
  ["$", DOLLAR],
  ...of("USD", "US$,USD ,usd ,美元,US dollars "),
  ...of("HKD", "HK$,港币"),
  ...of("SGD", "S$,SG$,SGD "),
  ...of("AUD", "A$,AU$"),
  ...of("CAD", "C$,CA$ "),
  ...of("TWD", "NT$,新台币"),
  ...of("BRL", "R$"),
  ...of("EUR", "€,EUR ,€ "),
  ...of("GBP", "£,GBP "),
  ...of("CNY", "CN¥,RMB ,人民币"),
  ...of("JPY", "JP¥,JPY "),
  ...of("INR", "₹,Rs. ,Rs "),
  ...of("KRW", "₩"),
  ...of("THB", "฿"),
  ...of("PHP", "₱"),
  ...of("VND", "₫"),
  ...of("MYR", "RM,RM "),
  ...of("IDR", "Rp "),
  ...of("CHF", "CHF "),
  ...of("KWD", "KWD "),
  ...of("NZD", "NZD "),
]

/** Names behind a number. */
export const BEHIND: ReadonlyArray<Name> = [
  [" dollars", DOLLAR],
  [" bucks", DOLLAR],
  [" Dollars", DOLLAR],
  ...of("USD", " US dollars, USD,USD, usd,美元,美金,US$, U.S. dollars"),
  ...of("HKD", " Hong Kong dollars,港币,港元, HKD"),
  ...of("SGD", " Singapore dollars,新加坡元,新币"),
  ...of("AUD", " Australian dollars, Aussie dollars,澳元,澳币"),
  ...of("CAD", " Canadian dollars,加元,加币"),
  ...of("TWD", " New Taiwan dollars,台币"),
  ...of("BRL", " reais,雷亚尔"),
  ...of("EUR", " euros, euro,€, €,欧元, EUR"),
  ...of("GBP", " pounds, quid, pounds sterling,英镑"),
  ...of("CNY", "元, yuan, kuai, RMB,块钱,元钱,块"),
  ...of("JPY", " yen,日元,日圆,円"),
  ...of("INR", " rupees,卢比"),
  ...of("KRW", " won,韩元,韩币"),
  ...of("THB", " baht,泰铢"),
  ...of("PHP", " Philippine pesos, pesos,比索"),
  ...of("VND", " dong,越南盾"),
  ...of("MYR", " ringgits, ringgit,马币,林吉特"),
  ...of("IDR", " rupiah, rupiahs,印尼盾"),
  ...of("CHF", " Swiss francs, francs,瑞士法郎, CHF"),
  ...of("ZAR", " ZAR"),
  ...of("NOK", " NOK, nok"),
]
