import type { Catalog, Channel } from "./Channel.ts"

type Refunds = Channel["refunds"]

/** Refund rules by channel type (Refund window and channel constraints). */
const type1: Refunds = {
  type: 1,
  max_partial_refunds: 50,
  window_days: 365,
  rate_per_second: 150,
}

const type2 = (windowDays: number): Refunds => ({
  type: 2,
  max_partial_refunds: null,
  window_days: windowDays,
  rate_per_second: null,
})

const type3 = (partials: number, windowDays: number): Refunds => ({
  type: 3,
  max_partial_refunds: partials,
  window_days: windowDays,
  rate_per_second: null,
})

const wallet = (
  channel: Pick<
    Channel,
    "id" | "label" | "refunds" | "currencies" | "kyc_level" | "settles" | "qr_schemes"
  > & {
    readonly network_fee_basis_points: number
  },
): Channel => ({ ...channel, kind: "consumer_wallet", deep_links: true, partial_capture: true })

const bankQr = (
  channel: Pick<
    Channel,
    "id" | "label" | "refunds" | "currencies" | "network_fee_basis_points" | "qr_schemes"
  >,
): Channel => ({
  ...channel,
  kind: "bank_linked",
  deep_links: false,
  settles: "real_time",
  kyc_level: "basic",
})

const stablecoin = (id: string, label: string): Channel => ({
  id,
  label,
  kind: "stablecoin",
  refunds: type2(365),
  deep_links: true,
  partial_capture: true,
  settles: "real_time",
  network_fee_basis_points: 10,
  currencies: "every",
  kyc_level: "business",
  pegged_to: "USD",
})

/** The default channels of an installation without its own catalog, in order of preference. */
export const defaultCatalog: Catalog = [
  wallet({
    id: "wallet_a",
    label: "Wallet A",
    refunds: type1,
    settles: "real_time",
    network_fee_basis_points: 60,
    currencies: ["CNY", "HKD", "USD", "EUR", "GBP", "SGD", "JPY"],
    kyc_level: "anonymous",
  }),
  wallet({
    id: "wallet_b",
    label: "Wallet B",
    refunds: type2(365),
    settles: "real_time",
    network_fee_basis_points: 60,
    currencies: ["CNY", "HKD", "USD", "EUR"],
    kyc_level: "anonymous",
  }),
  wallet({
    id: "wallet_c",
    label: "Wallet C",
    refunds: type2(180),
    settles: "real_time",
    network_fee_basis_points: 100,
    currencies: ["SGD", "MYR", "THB", "IDR", "PHP", "VND"],
    kyc_level: "basic",
    qr_schemes: ["qris", "duitnow", "vietqr"],
  }),
  wallet({
    id: "wallet_d",
    label: "Wallet D",
    refunds: type2(180),
    settles: "real_time",
    network_fee_basis_points: 120,
    currencies: ["PHP", "USD"],
    kyc_level: "basic",
    qr_schemes: ["qrph"],
  }),
  wallet({
    id: "wallet_e",
    label: "Wallet E",
    refunds: type2(90),
    settles: "t_plus_1",
    network_fee_basis_points: 80,
    currencies: ["THB", "JPY", "KRW", "TWD"],
    kyc_level: "basic",
    qr_schemes: ["promptpay"],
  }),
  wallet({
    id: "wallet_f",
    label: "Wallet F",
    refunds: type2(365),
    settles: "t_plus_1",
    network_fee_basis_points: 190,
    currencies: ["USD", "EUR", "GBP", "AUD", "CAD"],
    kyc_level: "basic",
  }),
  bankQr({
    id: "bank_qr_a",
    label: "Bank QR A",
    refunds: type3(10, 180),
    network_fee_basis_points: 30,
    currencies: ["SGD"],
    qr_schemes: ["paynow"],
  }),
  bankQr({
    id: "bank_qr_b",
    label: "Bank QR B",
    refunds: type3(0, 90),
    network_fee_basis_points: 25,
    currencies: ["BRL"],
    qr_schemes: ["pix"],
  }),
  bankQr({
    id: "bank_qr_c",
    label: "Bank QR C",
    refunds: type3(20, 180),
    network_fee_basis_points: 30,
    currencies: ["INR"],
    qr_schemes: ["upi"],
  }),
  {
    id: "business_a",
    label: "Business A",
    kind: "business",
    refunds: type1,
    deep_links: true,
    settles: "t_plus_1",
    network_fee_basis_points: 45,
    currencies: ["CNY", "USD", "EUR"],
    kyc_level: "enhanced",
  },
  {
    id: "business_b",
    label: "Business B",
    kind: "business",
    refunds: type3(20, 365),
    deep_links: false,
    settles: "t_plus_1",
    network_fee_basis_points: 20,
    currencies: ["USD", "EUR", "GBP"],
    kyc_level: "business",
  },
  stablecoin("stablecoin_a", "Stablecoin A"),
  stablecoin("stablecoin_b", "Stablecoin B"),
]
