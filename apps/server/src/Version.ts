/** Version of Lectern, as `lectern --version` says it. */
export const version = "0.1.0"
