import { expect, test } from "vitest"
import { makePlaces } from "../../../../adapters/http/client/MppPlaces.ts"

const papers = { key: "papers", price: 1 }
const books = { key: "books", price: 2 }

const at = (path: string, method = "GET") =>
  new Request(new URL(path, "https://seller.example"), { method })

const learned = () => {
  const places = makePlaces()
  places.paid(at("/v1/papers/7"), papers)
  places.paid(at("/v1/papers/8", "POST"), papers)
  places.paid(at("/v1/books?page=1"), books)
  places.free(at("/v1/papers/free"))
  return places
}

test.each([
  ["/v1/papers/7", "GET", papers],
  ["/v1/papers/7?page=2#end", "GET", papers],
  ["/v1/papers/7", "HEAD", papers],
  ["/v1/papers/9", "GET", papers],
  ["/v1/papers/9/pages/1", "GET", papers],
  ["/v1/papers/", "GET", papers],
  ["/v1/papers", "GET", books],
  ["/v1/books", "GET", books],
  ["/v1/other/1", "GET", books],
  // The folder of no endpoint that was paid.
  ["/v2/papers/7", "GET", undefined],
  ["/", "GET", undefined],
  ["/v1", "GET", undefined],
  ["/v1/papers/free", "GET", undefined],
  ["/v1/papers/8", "POST", papers],
  ["/v1/papers/9", "POST", papers],
  ["/v1/papers/8", "PUT", papers],
  // Other origins.
  ["http://seller.example/v1/papers/7", "GET", undefined],
  ["https://seller.example:8443/v1/papers/7", "GET", undefined],
  ["https://seller.example.evil.example/v1/papers/7", "GET", undefined],
])("%s by %s", (path, method, price) => {
  expect(learned().priceOf(at(path, method))).toEqual(price)
})

test("what was paid at the top says nothing of the folders of others", () => {
  const places = makePlaces()
  places.paid(at("/papers"), papers)
  expect(places.priceOf(at("/books"))).toEqual(papers)
  expect(places.priceOf(at("/another-seller/x"))).toBeUndefined()
  expect(places.priceOf(at("/papers/7"))).toBeUndefined()
  places.paid(at("/one-seller/papers/7"), papers)
  expect(places.priceOf(at("/another-seller/papers/7"))).toBeUndefined()
})

test("an endpoint counts as it was last", () => {
  const places = learned()
  places.paid(at("/v1/papers/free"), books)
  expect(places.priceOf(at("/v1/papers/free"))).toEqual(books)
  places.free(at("/v1/papers/7"))
  expect(places.priceOf(at("/v1/papers/7"))).toBeUndefined()
})

test("the oldest of too many endpoints is forgotten", () => {
  const places = makePlaces()
  places.paid(at("/first", "POST"), papers)
  for (let n = 0; n < 1_000; n += 1) places.paid(at(`/${n}/x`, "POST"), books)
  expect(places.knows(at("/first", "POST"))).toBe(false)
  expect(places.knows(at("/0/x", "POST"))).toBe(true)
})
