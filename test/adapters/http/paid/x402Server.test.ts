import { expect, test } from "vitest"
import { currencies } from "../../../../adapters/fx/Currencies.ts"
import { x402Server } from "../../../../adapters/http/paid/x402Server.ts"

test("amounts have the decimals of the service's currencies", () => {
  const { getAssetDecimals } = x402Server()
  const wrong = [...currencies.values()].filter(
    ({ code, exponent }) => getAssetDecimals?.(code) !== exponent,
  )
  expect(wrong).toEqual([])
  expect(getAssetDecimals?.("HUF")).toBe(2)
  expect(getAssetDecimals?.("usd")).toBeUndefined()
})
