"""Function and class names of other packages, with the AnthroPI equivalent. The error for an unknown name quotes them.

| packages | their names |
| --- | --- |
| Pinocchio | rnea, aba, crba, computeJointJacobians … |
| MuJoCo | mj_step, mj_forward, mj_inverse, MjModel … |
| Drake, RBDL, OpenSim, Featherstone's spatial_v2 | CalcMassMatrix, ForwardDynamics, ID, FDab … |
"""

__all__ = ["PEER_NAMES", "hint_for"]

_DIRECT = "ap.direct_dynamics(figure, q, u, tau)"
_INVERSE = "ap.inverse_dynamics(figure, q, u, udot)"
_MASS = "ap.mass_matrix(figure, q)"
_KINEMATICS = "ap.kinematics(figure, q, u)"
_JACOBIAN = "ap.jacobian(figure, q, link=…, point=…)"
_FIGURE = "ap.Figure; make one with ap.load(path), ap.human() or ap.sample(name)"
_STEP = "ap.Simulation(scene).step(); ap.simulate(…) records a motion"
_STATE = "ap.State, or q and u as plain arrays"
_INTEGRATE = "figure.integrate(q, v)"
_DIFFERENCE = "figure.difference(q0, q1)"
_NEUTRAL = "figure.neutral()"
_RANDOM = "figure.random(rng)"
_BIAS = "ap.dynamics.bias_forces(figure, q, u)"
_GRAVITY = "ap.dynamics.gravity_forces(figure, q)"
_COM = "ap.centre_of_mass(figure, q, u)"
_CMM = "ap.dynamics.centroidal_momentum_matrix(figure, q)"
_LOAD = "ap.load(path)"
_IK = "ap.inverse_kinematics(figure, targets, q)"
_REACTIONS = "ap.dynamics.joint_reactions(figure, q, u, udot)"
_REGRESSOR = "ap.dynamics.inverse_dynamics_regressor(figure, q, u, udot)"
_DERIVATIVE = "ap.derivative(ap.direct_dynamics, figure, wrt=…)"

PEER_NAMES: dict[str, str] = {  # {their name in lower case, without "_": the AnthroPI equivalent}
    # dynamics
    "aba": _DIRECT,
    "fd": _DIRECT,
    "fdab": _DIRECT,
    "forwarddynamics": _DIRECT,
    "mjforward": _DIRECT,
    "mjfwdacceleration": _DIRECT,
    "rnea": _INVERSE,
    "id": _INVERSE,
    "calcinversedynamics": _INVERSE,
    "mjinverse": _INVERSE,
    "mjrne": _INVERSE,
    "crba": _MASS,
    "calcmassmatrix": _MASS,
    "compositerigidbodyalgorithm": _MASS,
    "inertiamatrix": _MASS,
    "jointspaceinertia": _MASS,
    "mjcrb": _MASS,
    "mjfullm": _MASS,
    "computeminverse": "ap.dynamics.inverse_mass_matrix(figure, q)",
    "mjsolvem": "ap.dynamics.inverse_mass_matrix(figure, q)",
    "hybriddynamicsalgorithm": "ap.hybrid_dynamics(figure, q, u, tau, udot, prescribed=…)",
    "fdh": "ap.hybrid_dynamics(figure, q, u, tau, udot, prescribed=…)",
    "calcbiasterm": _BIAS,
    "coriolis": "ap.dynamics.velocity_forces(figure, q, u)",
    "nonlineareffects": _BIAS,
    "qfrcbias": _BIAS,
    "calcgravitygeneralizedforces": _GRAVITY,
    "computegeneralizedgravity": _GRAVITY,
    "computeabaderivatives": _DERIVATIVE,
    "computerneaderivatives": "ap.derivative(ap.inverse_dynamics, figure, wrt=…)",
    "mjdtransitionfd": _DERIVATIVE,
    "computecentroidaldynamicsderivatives": "ap.derivative(ap.dynamics.momentum_rate, figure, wrt=…)",
    "computejointtorqueregressor": _REGRESSOR,
    "computekineticenergyregressor": "ap.dynamics.kinetic_energy_regressor(figure, q, u)",
    "computepotentialenergyregressor": "ap.dynamics.potential_energy_regressor(figure, q)",
    "todynamicparameters": "ap.dynamics.inertial_parameters(figure)",
    "cfrcint": _REACTIONS,
    "jointreaction": _REACTIONS,
    "mjrnepostconstraint": _REACTIONS,
    "getreactionforces": _REACTIONS,
    # kinematics
    "getframeacceleration": "ap.kinematics(figure, q, u, udot).spatial_acceleration(link, at, frame)",
    "getframeclassicalacceleration": "ap.kinematics(figure, q, u, udot).point(link, at).acceleration",
    "getframevelocity": "ap.kinematics(figure, q, u).spatial_velocity(link, at, frame)",
    "fk": _KINEMATICS,
    "forwardkinematics": _KINEMATICS,
    "forwardvelocity": _KINEMATICS,
    "framesforwardkinematics": _KINEMATICS,
    "mjkinematics": _KINEMATICS,
    "mjfwdposition": _KINEMATICS,
    "updateframeplacements": _KINEMATICS,
    "calcjacobianspatialvelocity": "ap.dynamics.spatial_jacobian(figure, q, link=…)",
    "computeframejacobian": _JACOBIAN,
    "computejointjacobian": _JACOBIAN,
    "computejointjacobians": _JACOBIAN,
    "getframejacobian": _JACOBIAN,
    "getjointjacobian": _JACOBIAN,
    "calcpointjacobian": _JACOBIAN,
    "mjjac": _JACOBIAN,
    "mjjacbody": _JACOBIAN,
    "mjjacsite": _JACOBIAN,
    "computejointjacobianstimevariation": "ap.dynamics.jacobian_rate(figure, q, u, link=…)",
    "ik": _IK,
    "solveik": _IK,
    "difference": _DIFFERENCE,
    "mjdifferentiatepos": _DIFFERENCE,
    "boxminus": _DIFFERENCE,
    "integrate": _INTEGRATE,
    "mjintegratepos": _INTEGRATE,
    "boxplus": _INTEGRATE,
    "neutral": _NEUTRAL,
    "randomconfiguration": _RANDOM,
    "normalize": "figure.normalise(q)",
    "normalise": "figure.normalise(q)",
    # rotations and poses
    "exp3": "ap.Rotation.exp(vector)",
    "exp6": "ap.Transform.exp(motion), the angular part first",
    "log3": "ap.Rotation.log",
    "log6": "ap.Transform.log",
    "quaternion": "ap.Rotation.from_quaternion(q, order)",
    "rigidtransform": "ap.Transform",
    "rotationmatrix": "ap.Rotation.from_matrix(C)",
    "se3": "ap.Transform",
    "so3": "ap.Rotation",
    "slerp": "ap.Rotation.slerp, ap.rotation.slerp",
    # centre of mass, momentum, energy
    "centerofmass": _COM,
    "calccenterofmass": _COM,
    "centerofmassjacobian": "ap.dynamics.centre_of_mass_jacobian(figure, q)",
    "jacobiancenterofmass": "ap.dynamics.centre_of_mass_jacobian(figure, q)",
    "mjjacsubtreecom": "ap.dynamics.centre_of_mass_jacobian(figure, q)",
    "ccrba": _CMM,
    "computecentroidalmap": _CMM,
    "computecentroidalmomentum": "ap.dynamics.momentum(figure, q, u)",
    "computekineticenergy": "ap.dynamics.kinetic_energy(figure, q, u)",
    "computepotentialenergy": "ap.dynamics.potential_energy(figure, q)",
    "mjenergypos": "ap.dynamics.potential_energy(figure, q)",
    "mjenergyvel": "ap.dynamics.kinetic_energy(figure, q, u)",
    "computetotalmass": "figure.mass",
    # models, states, time steps
    "articulation": _FIGURE,
    "model": _FIGURE,
    "mjmodel": _FIGURE,
    "modelbuilder": "ap.figure_from_parts(name, parts)",
    "multibodyplant": _FIGURE,
    "multibodytree": _FIGURE,
    "robot": _FIGURE,
    "robotwrapper": _FIGURE,
    "skeleton": _FIGURE,
    "data": _STATE,
    "mjdata": _STATE,
    "context": _STATE,
    "buildmodelfromurdf": _LOAD,
    "buildmodelfrommjcf": _LOAD,
    "fromxmlpath": _LOAD,
    "loadmodel": _LOAD,
    "loadurdf": _LOAD,
    "parser": _LOAD,
    "step": _STEP,
    "mjstep": _STEP,
    "simulator": _STEP,
    "contactdynamics": "ap.Scene with a model of ap.contact, in ap.Simulation",
    "forwarddynamicscontacts": "ap.Scene with a model of ap.contact, in ap.Simulation",
    "constraintdynamics": "ap.loops.loop_dynamics for closed loops, ap.Scene for contacts",
    "impulsedynamics": "ap.loops.loop_impulses",
    "viewer": "motion.show(), or the command `anthropi studio`",
    "render": "figure.draw(q), motion.export(path)",
    "jit": "ap.compile(function, figure)",
    "grad": "ap.derivative(function, figure, wrt=…)",
}


def hint_for(name: str) -> str:
    """Return " In AnthroPI: …." if another package uses this name, else an empty string."""
    ours = PEER_NAMES.get(name.replace("_", "").lower())
    return f" In AnthroPI: {ours}." if ours else ""
