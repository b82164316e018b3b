// Days of the week as schedules store them: one bit per day, Monday the lowest.

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const EVERY_DAY = 127;
export const WORK_DAYS = 31;
