import type { Channel } from "payport/channels"

/** What the bank's channel is, what it can do and what it costs. */
export const entry: Channel = {
  id: "own_bank",
  label: "Own Bank",
  kind: "bank_linked",
  currencies: ["USD"],
  network_fee_basis_points: 20, // 0.2 %
  settles: "real_time",
  kyc_level: "anonymous",
  deep_links: true,
  refunds: { type: 2, max_partial_refunds: null, window_days: 90, rate_per_second: null },
}
