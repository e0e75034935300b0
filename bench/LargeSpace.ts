export const measureAll = async (_: unknown) => {}
