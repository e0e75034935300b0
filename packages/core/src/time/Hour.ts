/** Duration of an hour in ms: the precision of the times of last requests (see `user/LastSeen`). */
export const hour = 3_600_000
