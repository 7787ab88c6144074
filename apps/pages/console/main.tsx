import { render } from "preact"
import { Console } from "./Console.tsx"

const place = document.querySelector<HTMLElement>("#console")
if (place !== null) {
  place.replaceChildren()
  render(<Console mode={place.dataset["mode"] ?? "live"} />, place)
}
