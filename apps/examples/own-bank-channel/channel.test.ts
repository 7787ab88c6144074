import { describe, test } from "node:test"
import { channelLayer } from "payport/channels"
import { channelContract, testContracts } from "payport/testing"
import { api, bank } from "./channel.ts"

const contract = channelContract({
  channel: "own_bank",
  currency: "USD",
  links: false,
  open: () => channelLayer(bank),
  // The bank's test mode pays like a person, and signs its callbacks.
  pay: ({ out_trade_no }) => api.post(`/test/payments/${out_trade_no}`, {}),
  callback: (message) => api.post("/test/callbacks", message),
})

testContracts({ "the bank": contract }, { describe, test })
