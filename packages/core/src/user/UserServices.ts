/** Services of users. */
import type { Services } from "../Services.ts"
import { Users } from "./Users.ts"

export const userServices = {
  layers: [Users.layer],
  jobs: [],
  offered: { users: Users }
} as const satisfies Services
