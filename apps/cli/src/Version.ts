/** Version of Lectern, as printed by `lectern --version`. */
export const version = "0.1.0"
