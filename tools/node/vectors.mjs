export function checkVectors() {}
