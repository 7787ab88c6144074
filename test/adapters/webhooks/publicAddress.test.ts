import { describe, expect, test } from "vitest"
import { isLoopback, isPublic } from "../../../adapters/webhooks/publicAddress.ts"

describe("public addresses", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "223.255.255.255",
    "2600::1",
    "2a00:1450:4001:82b::200e",
    "2003::1",
    "2606:4700::5eff:7f00:1",
  ])("%s", (address) => {
    expect(isPublic(address)).toBe(true)
  })

  test.each([
    "",
    "example.com",
    "0.0.0.0",
    "127.0.0.1",
    "0177.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "168.63.129.16",
    "169.254.169.254",
    "100.64.0.0",
    "100.127.255.255",
    "224.0.0.0",
    "255.255.255.255",
    "::",
    "::1",
    "::8.8.8.8",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "2001::1",
    "1fff::1",
    "4000::1",
    "8000::1",
    "fe80::1",
    "fe80::1%eth0",
    "2600::1%eth0",
    "[2600::1]",
    "2606:4700::5efe:808:808",
    "2606:4700::200:5efe:808:808",
  ])("not %j", (address) => {
    expect(isPublic(address)).toBe(false)
  })
})

test.each([
  ["127.0.0.1", true],
  ["127.8.8.8", true],
  ["::1", true],
  ["::ffff:127.0.0.1", false],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
  ["localhost", false],
])("%s is this machine's: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})
