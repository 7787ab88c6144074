import { channelLayer, type OwnChannelOption } from "payport/channels"
import { channelContract } from "payport/testing"

/** Holds the channel to what payport relies on, against the bank's test mode. */
export const checkContract = async (channel: OwnChannelOption, url: string) => {
  const { checks } = channelContract({
    channel: "own_bank",
    currency: "USD",
    open: () => channelLayer(channel),
    pay: async ({ out_trade_no }) => {
      await fetch(`${url}/payments/${out_trade_no}`, { method: "PUT", body: "{}" })
    },
  })
  for (const { group, name, run } of checks) {
    await run().catch((cause) => Promise.reject(new Error(`${group}: ${name}`, { cause })))
  }
  return checks.length
}
