/** Services of users. */
import type { Services } from "../Services.ts"
import { LastSeen } from "./LastSeen.ts"
import { Users } from "./Users.ts"

export const userServices = {
  layers: [LastSeen.layer, Users.layer],
  jobs: [],
  offered: { users: Users }
} as const satisfies Services
