"""Algorithms on one figure and one state: pure functions that run on floats or record a tape.

| file | subject | known elsewhere as |
| --- | --- | --- |
| `kinematics.py` | poses, velocities, accelerations of links and points | forward kinematics |
| `jacobians.py` | Jacobians, their rates and Hessians | |
| `direct_dynamics.py` | joint forces → accelerations | forward dynamics, ABA |
| `inverse_dynamics.py` | motion → joint forces | RNEA |
| `hybrid_dynamics.py` | accelerations of some dofs and forces of the others given | |
| `recursions.py` | steps that these three share | |
| `joint_reactions.py` | forces across joints and their constraint part | data.f, cfrc_int |
| `regressors.py`, `inertial_parameters.py` | matrices that are linear in the inertial parameters of links | |
| `mass_matrix.py`, `cholesky.py` | M, its factors and its inverse | CRBA |
| `operational_space.py` | accelerations of links under forces on links | Λ⁻¹, Delassus matrix |
| `bias_forces.py` | gravity, Coriolis, passive and external forces | nonlinear effects, qfrc_bias |
| `equations_of_motion.py` | M and h as sums over bodies; change of velocity coordinates | |
| `momentum.py`, `centroidal.py` | centre of mass, momentum and its matrix | centroidal dynamics |
| `energy.py` | kinetic and potential energy, power balance | |
| `derivatives.py`, `direct_derivatives.py`, `inverse_derivatives.py` | derivatives of the algorithms | |
| `momentum_derivatives.py` | derivatives of the rate of momentum | |
| `implicit_springs.py` | stiff springs and dampers over a time step | |
| `exponential.py` | velocities and forces in exponential coordinates | |
| `singularity.py` | the joint whose inertia is singular | |
| `forces.py`, `shapes.py` | springs, dampers, gravity, loads; declared shapes | |
"""
