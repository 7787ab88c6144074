import { describe, expect, test } from "vitest"
import { clientAddress, networksOf } from "../../../../adapters/shared/addresses/ClientAddress.ts"
import { networkKey } from "../../../../adapters/shared/addresses/networkKey.ts"

const proxies = (...blocks: ReadonlyArray<string>) => {
  const list = networksOf(blocks)
  if (list === undefined) throw new Error(`no networks: ${blocks.join()}`)
  return list
}

describe("clientAddress", () => {
  test.each([
    ["the connection's, without proxies", "203.0.113.9", "198.51.100.1", [], "203.0.113.9"],
    ["what a trusted proxy saw", "10.0.0.1", "198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"],
    [
      "not what the client wrote",
      "10.0.0.1",
      "1.1.1.1, 198.51.100.1",
      ["10.0.0.0/8"],
      "198.51.100.1",
    ],
    ["through two proxies", "10.0.0.1", "198.51.100.1, 10.0.0.2", ["10.0.0.0/8"], "198.51.100.1"],
    ["the proxy's, without a header", "10.0.0.1", undefined, ["10.0.0.0/8"], "10.0.0.1"],
    ["the proxy's, for a header that is none", "10.0.0.1", "me", ["10.0.0.0/8"], "10.0.0.1"],
    [
      "the last proxy's, where all are",
      "10.0.0.1",
      "10.0.0.3, 10.0.0.2",
      ["10.0.0.0/8"],
      "10.0.0.3",
    ],
    ["mapped into IPv6", "::ffff:10.0.0.1", "::ffff:198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
    ["IPv6", "fd00::1", "2001:db8::7", ["fd00::/8"], "2001:db8::7"],
    ["with its port", "10.0.0.1", "198.51.100.1:5555", ["10.0.0.0/8"], "198.51.100.1"],
    ["IPv6 with its port", "10.0.0.1", "[2001:db8::7]:443", ["10.0.0.0/8"], "2001:db8::7"],
    ["IPv6 in brackets", "10.0.0.1", "[2001:db8::7]", ["10.0.0.0/8"], "2001:db8::7"],
    ["past a proxy with a port", "10.0.0.1", "1.1.1.1, 10.0.0.2:80", ["10.0.0.0/8"], "1.1.1.1"],
    ["the proxy's, for a port alone", "10.0.0.1", ":443", ["10.0.0.0/8"], "10.0.0.1"],
    ["nobody's, of a closed connection", undefined, "198.51.100.1", ["10.0.0.0/8"], "unknown"],
  ])("%s", (_name, remote, forwarded, trusted, address) => {
    expect(clientAddress({ remote, forwarded }, proxies(...trusted))).toBe(address)
  })
})

test.each(["", "10.0.0", "10.0.0.0/33", "::1/129", "example.com", "10.0.0.0/a", "10.0.0.1 "])(
  "%j is no network",
  (block) => {
    expect(networksOf([block])).toBeUndefined()
  },
)

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["2001:0db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["::ffff:cb00:7109", "203.0.113.9"],
  ["::FFFF:0a00:1", "10.0.0.1"],
  ["2001:DB8:1:2::5%eth0", "2001:db8:1:2"],
  ["64:ff9b::198.51.100.7", "64:ff9b:0:0"],
  ["unknown", "unknown"],
  ["0a:1b:2c:3d:4e:5f", "0a:1b:2c:3d:4e:5f"],
  ["::1]/[::2", "::1]/[::2"],
])("the hands of %s are those of %s", (address, key) => {
  expect(networkKey(address)).toBe(key)
})
