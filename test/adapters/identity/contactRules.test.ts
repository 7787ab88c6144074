import { expect, test } from "vitest"
import { contactRules } from "../../../adapters/identity/contactRules.ts"

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["ada+1@example.com", "ada@example.com"],
  ["ada+1+2@EXAMPLE.com", "ada@example.com"],
  ["a.b+c@gmail.com", "ab@gmail.com"],
  ["a.b@example.com", "a.b@example.com"],
  ["+ada@example.com", "+ada@example.com"],
  ['"a+b@c"@example.com', '"a+b@c"@example.com'],
])("the mailbox of %s is %s", (email, mailbox) => {
  expect(contactRules.mailbox(email)).toBe(mailbox)
})

test.each([
  "ada@example.com",
  "Ada+tag@Example.com",
  "a'b/c`{|}~@example.com",
  "ada@xn--bcher-kva.example",
])("%s is an address", (email) => {
  expect(contactRules.isEmail(email)).toBe(true)
})

test.each([
  '"a b"@example.com',
  '"ada"@example.com',
  "gr\u00f6\u00dfe@example.com",
  "a\u200bda@example.com",
  "ada@b\u00fccher.example",
  "ada@exam\u00adple.com",
  "ada@example.com\r\nBcc: eve@example.com",
  "ada@example.com,eve@example.com",
  "<ada@example.com>",
  "a..b@example.com",
  "ada@[127.0.0.1]",
])("%j is none that mail goes to as it is written", (email) => {
  expect(contactRules.isEmail(email)).toBe(false)
})
