/** Lists the services that record audit events and list them, and the job that removes old ones. */
import { offer, type Services } from "../Services.ts"
import { AuditEvents } from "./AuditEvents.ts"
import { removeOldAuditEvents } from "./AuditRetention.ts"

export const auditServices = {
  jobs: [removeOldAuditEvents],
  offered: {
    "organizations.auditLog": offer(AuditEvents, "outsideTransaction")
  }
} as const satisfies Services
