import { worldsIn } from "./worldsIn.ts"

worldsIn("World one")
