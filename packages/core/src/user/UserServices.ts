/** Lists the services that create and change users, and that record when users were last active. */
import { offer, type Services } from "../Services.ts"
import { Users } from "./Users.ts"

export const userServices = {
  jobs: [],
  offered: {
    users: offer(Users, {
      me: "transactional",
      get: "transactional",
      update: "outsideTransaction",
      updateMe: "outsideTransaction",
      create: "transactional",
      byEmail: "transactional",
      sync: "transactional",
      present: "internal",
      activeUsers: "internal"
    })
  }
} as const satisfies Services
