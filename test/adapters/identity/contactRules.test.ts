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
