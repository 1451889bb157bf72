/* geometry.h - what pictures need of mathematics, without libm */
#ifndef MQ_GEOMETRY_H
#define MQ_GEOMETRY_H

#define MQ_TURN 6.283185307179586       /* the angle of a whole circle */

/* The point at an angle on the circle of radius 1, to six digits. */
void mq_point_on_circle(double angle, double *cosine, double *sine);

double mq_square_root(double value);
double mq_least(double a, double b);
double mq_most(double a, double b);

#endif
